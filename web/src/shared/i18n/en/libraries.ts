export default {
  title: 'Libraries',
  lead: 'Wayquest is built on open-source software. These are the packages in this build. Thank you to everyone who made them.',
  places: 'Map data: towns and postal codes (CC BY 4.0):',
  tiles: 'Tiles, addresses and water up close (ODbL):',
  coasts: 'Zoomed out, coasts and borders are from Natural Earth and the US Census Bureau (public domain).',
  running: 'Runtime',
  building: 'Development',
  name: 'Name',
  version: 'Version',
  license: 'License',
  purpose: 'Purpose',
  usedBy: 'Used by {parts}',
} as const;
