"""The Algolia protocol: routes, answers, facets, recommendations."""
