"""What a store that refuses a table is called: by its cause, without a word of the library.

Question: does the message name the cause, whatever the names in the text are?
Method: texts that pyarrow, deltalake and pyiceberg wrote for each cause, with marked names.
Limits: the texts are those of one version of each library; another text gives the general message.
"""

from __future__ import annotations

import pytest

from privaudit.source.servers.store_errors import not_reached

SECRET = "qzxvkjw 403 not found timeout"
CAUSES = [
    (f"When getting information for key '{SECRET}' in bucket 'b': AWS Error ACCESS_DENIED during Head", "refused"),
    (f"Hierarchical Namespace support on 'http://{SECRET}' failed. Azure Error: [] 403 Forbidden", "refused"),
    ("google::cloud::Status(PERMISSION_DENIED: Permanent error", "refused"),
    (f"key '{SECRET}': AWS Error UNKNOWN (HTTP status 301) during HeadObject operation", "another region"),
    (f"key '{SECRET}': AWS Error NETWORK_CONNECTION during Head: curlCode: 7, Could not connect", "reached. Hint"),
    ("google::cloud::Status(UNAVAILABLE: Retry policy exhausted, CURL error [7]=Could not connect", "reached. Hint"),
    (f"Error performing GET http://host/{SECRET[:7]} in 1 ms\n tcp connect error", "reached. Hint"),
    ("Generic delta kernel error: No files in log segment", "No table was found"),
    (f'Local path "{SECRET}" does not exist or you don\'t have access!', "No table was found"),
    ("Table does not exist: clinic.t", "No table was found"),
    ("LogSegment end version 0 not the same as the specified end version 7", "this version"),
    ("Snapshot not found: 7", "this version"),
    ("URI missing, please provide using --uri, the config or environment variable", "not configured"),
    (f"Unexpected query parameter in S3 URI: '{SECRET}'", "parameter"),
    ("SQLAlchemy support not installed: pip install 'pyiceberg[sql-postgres]'", "part of pyiceberg"),
    ("AuthenticationExceptionE: Failed to get token from DefaultAzureCredential.", "no credentials"),
    ("Could not create a OAuth2 access token to authenticate the request.", "no credentials"),
    ("AzureOptions doesn't contain a valid account name", "abfs://container@account"),
    ("something new", "reached or read"),
]


@pytest.mark.quick_cases(30)
@pytest.mark.parametrize(("text", "expected"), CAUSES)
def test_a_table_that_is_not_given_is_named_by_its_cause_and_not_by_the_text_of_the_library(
    text: str, expected: str
) -> None:
    error = not_reached(text)
    assert expected in str(error)
    assert "qzxvkjw" not in str(error)
    assert error.exit_code == 2
    assert error.hint is not None and str(error).endswith(error.hint)
