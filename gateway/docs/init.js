window.SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  // Its validator badge would send the document's address to a third party.
  validatorUrl: null,
});
