"""The hosts that `octavo deploy` knows. The files of each are in the folder `files/NAME`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HostTarget:
    """A host, and what its user has to do."""

    name: str
    title: str
    next_steps: tuple[str, ...]
    """What remains to do by hand, in order. May hold the markers of the files, such as `@SITE@`."""

    needs_requirements: bool = True
    """Whether the host installs Octavo itself, from a file of requirements."""


_ALL = (
    HostTarget(
        "github-pages",
        "GitHub Pages, by a workflow",
        (
            'In the repository\'s settings, under Pages, choose "GitHub Actions" as source.',
            "Commit the files and push them to @BRANCH@.",
        ),
    ),
    HostTarget(
        "gitlab-pages",
        "GitLab Pages, by a pipeline",
        ("Commit the files and push them to the default branch.",),
    ),
    HostTarget(
        "netlify",
        "Netlify",
        ("Commit the files.", "Import the repository in Netlify; it reads netlify.toml."),
    ),
    HostTarget(
        "cloudflare-pages",
        "Cloudflare Pages, by a workflow of GitHub",
        (
            "Create the project: npx wrangler pages project create @NAME@",
            "Add CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID to the secrets of the repository.",
            "Commit the files and push them to @BRANCH@.",
        ),
    ),
    HostTarget(
        "read-the-docs",
        "Read the Docs",
        ("Commit the files.", "Import the repository in Read the Docs; it reads .readthedocs.yaml."),
    ),
    HostTarget(
        "s3-cloudfront",
        "a bucket of S3 behind CloudFront, by a script",
        (
            "Create the bucket and the distribution as the head of the script says.",
            "Publish: BUCKET=my-bucket DISTRIBUTION=E123 @S3_SCRIPT@",
        ),
        needs_requirements=False,
    ),
    HostTarget(
        "nginx",
        "nginx, as static files",
        (
            "Publish: octavo build @SITE@ --precompress --out /srv/@NAME@",
            "Print the headers: octavo headers @SITE@ --out /srv/@NAME@ --format nginx > @NAME@-headers.conf",
            "Include both files at the level of http, and reload nginx.",
        ),
        needs_requirements=False,
    ),
    HostTarget(
        "nginx-password",
        "nginx, for readers with a password",
        (
            "Create a user: htpasswd -B -c /etc/nginx/@NAME@.htpasswd NAME",
            "Publish: octavo build @SITE@ --precompress --out /srv/@NAME@",
            "Print the headers: octavo headers @SITE@ --out /srv/@NAME@ --format nginx > @NAME@-headers.conf",
            "Include both files at the level of http, put TLS in front, and reload nginx.",
        ),
        needs_requirements=False,
    ),
    HostTarget(
        "docker",
        "a container with the site and its server",
        ("Build: docker build -t @NAME@ .", "Run: docker run --read-only --tmpfs /tmp -p 3000:3000 @NAME@"),
    ),
    HostTarget(
        "kubernetes",
        "Kubernetes, with the container of `octavo deploy docker`",
        (
            "Push the image, and name it in @KUBERNETES_FILE@.",
            "Create it: kubectl apply -f @KUBERNETES_FILE@",
        ),
        needs_requirements=False,
    ),
    HostTarget(
        "previews",
        "previews of pull requests on GitHub, as files to download",
        ("Commit the files and push them.",),
    ),
)

TARGETS: dict[str, HostTarget] = {target.name: target for target in _ALL}
"""Name → host."""
