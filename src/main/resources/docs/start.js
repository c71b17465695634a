SwaggerUIBundle({
  url: "/api/v1/openapi.yaml",
  dom_id: "#api",
  deepLinking: true,
  validatorUrl: null,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
});
