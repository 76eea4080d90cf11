"""What tests of several packages share: tables, values, sample reports, and ways to run the command line."""
