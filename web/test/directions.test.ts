import { directionsTo, mapUrl } from '../src/entities/challenges/location.ts';

const agents = {
  android: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
  iphone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
  linux: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};
const pond = { lat: 40.7448, lng: -73.8076 };

it.each([
  ['android', 'geo:40.7448,-73.8076?q=40.7448,-73.8076(Sit%20by%20the%20pond)'],
  ['iphone', 'https://maps.apple.com/?daddr=40.7448,-73.8076'],
  ['mac', 'https://maps.apple.com/?daddr=40.7448,-73.8076'],
  ['linux', 'https://www.openstreetmap.org/directions?to=40.7448%2C-73.8076'],
] as const)('opens the directions to a place in the maps of %s', (agent, expected) => {
  expect(directionsTo(pond, 'Sit by the pond', agents[agent])).toBe(expected);
});

it.each([
  ['a tiny longitude', { lat: 51.48, lng: -1e-7 }, 'geo:51.48,-0.0000001?q=51.48,-0.0000001(x)'],
  ['one that is next to nothing', { lat: 1e-9, lng: -1e-9 }, 'geo:0,0?q=0,0(x)'],
  ['a whole number', { lat: 50, lng: -120 }, 'geo:50,-120?q=50,-120(x)'],
])('writes %s without an exponent (Y9)', (_, position, expected) => {
  expect(directionsTo(position, 'x', agents.android)).toBe(expected);
  expect(mapUrl(position, 14)).not.toContain('e-');
});

it('parentheses in a name do not end the label of a link', () => {
  const expected = directionsTo(pond, 'The pond (north) & café', agents.android);
  expect(expected).toBe(
    'geo:40.7448,-73.8076?q=40.7448,-73.8076(The%20pond%20%20north%20%20%26%20caf%C3%A9)',
  );
});
