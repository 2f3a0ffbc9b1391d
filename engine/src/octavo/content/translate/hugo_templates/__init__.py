"""Templates of Hugo, as far as shortcodes use them: `render.render_template` draws one."""
