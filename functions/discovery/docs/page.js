// Shows the document beside this page. A missing renderer is said aloud: the page is of no use without it.
"use strict";
if (typeof SwaggerUIBundle === "undefined") {
  const message = document.createElement("p");
  message.append("The renderer of this page was not built in. Run make docs, or read openapi.json.");
  document.getElementById("api").replaceChildren(message);
} else {
  // The renderer has dark colours, and turns them on by a class only.
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", follow);
  follow();

  window.ui = SwaggerUIBundle({
    url: "openapi.json",
    dom_id: "#api",
    deepLinking: true,
    docExpansion: "none", // all open, the renderer would draw only what is in view, and the browser could not find the rest
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
