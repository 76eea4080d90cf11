"""How is a file read? Below `privaudit.source`, above `cells`."""
