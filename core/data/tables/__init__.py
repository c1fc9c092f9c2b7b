"""Readers of tables with one row a document, and either a class column or a query column."""
