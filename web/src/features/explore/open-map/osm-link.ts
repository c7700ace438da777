/** In markup: OpenStreetMap asks for a link to its terms. */
export const osmLink =
  '<a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">OpenStreetMap</a>';
