/** The header with which the service worker marks responses from its cache, with the time of storing them. */
export const storedAtHeader = 'x-stored-at';
