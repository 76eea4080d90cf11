"""Which personal data are held where, for how long, and what of one person?"""
