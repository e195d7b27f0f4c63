"""Made-up states of the table, for looking at them."""
