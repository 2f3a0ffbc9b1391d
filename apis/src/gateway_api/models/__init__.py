"""The schemas of the contract, by resource. Fields and defaults are the contract's; unknown fields are ignored."""
