# privaudit with every extra, for machines without Python. It needs no network and no rights:
#   docker build -t privaudit .
#   docker run --rm --network none --read-only --tmpfs /tmp -v "$PWD:/data" privaudit scan people.csv -o report.html
# The reports are written as the user of the container; -u "$(id -u):$(id -g)" writes them as you.
# git, for --policy-from, reads repositories of any owner: the mounted one belongs to the user of the host.
FROM python:3.12-slim AS build
WORKDIR /src
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY privaudit privaudit
COPY rules rules
COPY reports reports
# The packages come first: where Jinja and Numba are installed, the build compiles templates and loops.
RUN python -m venv /opt/privaudit \
    && /opt/privaudit/bin/pip install --no-cache-dir hatchling ".[all]" \
    && /opt/privaudit/bin/pip install --no-cache-dir --no-deps --no-build-isolation --force-reinstall . \
    && /opt/privaudit/bin/pip uninstall --yes hatchling

FROM python:3.12-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && git config --system --add safe.directory '*' \
    && useradd --uid 10001 --create-home --shell /usr/sbin/nologin privaudit
COPY --from=build /opt/privaudit /opt/privaudit
ENV PATH=/opt/privaudit/bin:$PATH PYTHONDONTWRITEBYTECODE=1
USER 10001:10001
WORKDIR /data
ENTRYPOINT ["privaudit"]
CMD ["--help"]
