window.SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  // Would send the document's address to a stranger.
  validatorUrl: null,
});
