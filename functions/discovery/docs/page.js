// Shows the document beside this page. A missing renderer is said aloud: the page is of no use without it.
"use strict";
if (typeof SwaggerUIBundle === "undefined") {
  document.getElementById("api").textContent =
    "The renderer of this page was not built in. Run make docs, or read openapi.json.";
} else {
  window.ui = SwaggerUIBundle({
    url: "openapi.json",
    dom_id: "#api",
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    displayOperationId: true,
    displayRequestDuration: true,
    filter: true,
    persistAuthorization: false,
    showExtensions: true,
    tryItOutEnabled: true,
    validatorUrl: null,
  });
}
