"""Tables: one row a document, with a class or with queries in a column."""
