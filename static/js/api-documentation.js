// Shows the OpenAPI document. What is tried from the page goes out under the reader's own session.

const place = document.getElementById("documentation");
const dark = matchMedia("(prefers-color-scheme: dark)");

function followScheme() {
  document.documentElement.classList.toggle("dark-mode", dark.matches);
}

followScheme();
dark.addEventListener("change", followScheme);

window.SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  validatorUrl: null,
  requestInterceptor: (request) => {
    if (request.method !== "GET") request.headers["X-CSRFToken"] = place.dataset.csrfToken;
    return request;
  },
});
