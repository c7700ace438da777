export default {
  title: 'Libraries',
  lead: 'Wayquest stands on the work of many others. This is what it is made with, as this build found it. Thank you, all of you.',
  places: 'The map draws on data of others too. Towns and postal codes (CC BY 4.0):',
  tiles: 'Tiles, addresses and water from close up (ODbL):',
  coasts: 'From afar, coasts and borders are from Natural Earth and the US Census Bureau (public domain).',
  running: 'In the running app',
  building: 'To build and test it',
  name: 'Name',
  version: 'Version',
  licence: 'Licence',
  purpose: 'What for',
  usedBy: 'Used by {parts}',
} as const;
