"""Tables in, models out. Functions take the connection of a transaction that their caller has opened."""
