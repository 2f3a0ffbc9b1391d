"""Documents → `Site`: routes, sidebars, versions, breadcrumbs, checked links. The one place that knows all pages."""
