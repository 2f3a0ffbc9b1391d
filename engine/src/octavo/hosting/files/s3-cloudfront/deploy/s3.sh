#!/usr/bin/env bash
# Publishes the documentation in a bucket behind CloudFront:
#   BUCKET=my-bucket DISTRIBUTION=E123 @S3_SCRIPT@
# The bucket stays private; CloudFront reads it through an origin access control. Associate folder-index.js with the
# viewer requests of the distribution, and set /404.html as the page of the errors 403 and 404.
set -euo pipefail
: "${BUCKET:?name the bucket in the variable BUCKET}" "${DISTRIBUTION:?name the distribution in DISTRIBUTION}"
cd "$(dirname "$0")/.."

octavo build @SITE@

# Files with a hash in their name never change. They go first, so that no page asks for a file that is not there yet.
aws s3 sync @SITE@/build/_octavo "s3://$BUCKET/_octavo" \
  --exclude manifest.json --exclude "search/*" --cache-control "public, max-age=31536000, immutable"
aws s3 sync @SITE@/build "s3://$BUCKET" \
  --exclude "_octavo/*" --cache-control "public, max-age=0, must-revalidate" --delete

# The content security policy belongs to one build. HEADERS_POLICY is the id of the distribution's response headers policy;
# create it once: aws cloudfront create-response-headers-policy --response-headers-policy-config file://FILE
octavo headers @SITE@ --format cloudfront > @SITE@/.octavo/cloudfront-headers.json
if [ -n "${HEADERS_POLICY:-}" ]; then
  version=$(aws cloudfront get-response-headers-policy --id "$HEADERS_POLICY" --query ETag --output text)
  aws cloudfront update-response-headers-policy --id "$HEADERS_POLICY" --if-match "$version" \
    --response-headers-policy-config "file://@SITE@/.octavo/cloudfront-headers.json"
fi
aws cloudfront create-invalidation --distribution-id "$DISTRIBUTION" --paths "/*"
