// A CloudFront function for viewer requests: a bucket has files, not folders, so /guide and /guide/ mean /guide/index.html.
function handler(event) {
  var request = event.request;
  if (request.uri.endsWith("/")) {
    request.uri += "index.html";
  } else if (!request.uri.split("/").pop().includes(".")) {
    request.uri += "/index.html";
  }
  return request;
}
