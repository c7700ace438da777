/** A part of Wayquest that has its place but not its screen yet. */
export interface UpcomingPart {
  title: string;
  promise: string;
  paths: string[];
}

export const upcoming: UpcomingPart[] = [
  {
    title: 'Explore Map',
    promise:
      'A map of your area, with every challenge on it. Search an address, see parks, museums and libraries around you, and make a challenge of any of them.',
    paths: ['/explore'],
  },
];
