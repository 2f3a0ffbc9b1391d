"""The pages' example requests, sent to the two APIs."""
