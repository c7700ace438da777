const htmlEntities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML elements and attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => htmlEntities[character] ?? '');

/** Escapes text for strings of JavaScript, with any quotes, and of JSON. */
export const escapeString = (text: string): string =>
  text.replace(/[^a-z\d ]/gi, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
