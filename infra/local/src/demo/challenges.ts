import type { Difficulty, Position } from '@wayquest/contracts';

export interface DemoChallenge {
  name: string;
  description: string;
  difficulty: Difficulty;
  points?: number;
  locationName: string;
  streetAddress: string;
  city: string;
  zip: string;
  position: Position;
  /** Days from the first start; undefined for no limit. */
  opensIn?: number;
  closesIn?: number;
  madeBy: string;
  /** Usernames of participants, and of those who have completed it. */
  joinedBy: string[];
  completedBy: string[];
}

/** A dozen places in Queens, New York. */
export const challenges: DemoChallenge[] = [
  {
    name: 'Walk once around the Unisphere',
    description: 'Find your own country on the steel globe, then sit by the fountains for a minute.',
    difficulty: 'Easy',
    locationName: 'Flushing Meadows Corona Park',
    streetAddress: 'Avenue of the States',
    city: 'Queens',
    zip: '11368',
    position: { lat: 40.7464, lng: -73.8451 },
    madeBy: 'marisol',
    joinedBy: ['imran', 'dina'],
    completedBy: ['jun.park', 'tessa-b', 'leon', 'wei.lin', 'priya'],
  },
  {
    name: 'Find your street on the Panorama',
    description: 'The whole city in miniature, every building of it: look until you have found your own.',
    difficulty: 'Medium',
    locationName: 'Queens Museum',
    streetAddress: 'New York City Building, Flushing Meadows Corona Park',
    city: 'Queens',
    zip: '11368',
    position: { lat: 40.7458, lng: -73.8467 },
    opensIn: -20,
    closesIn: 40,
    madeBy: 'jun.park',
    joinedBy: ['amara'],
    completedBy: ['marisol', 'tessa-b', 'nadia_k'],
  },
  {
    name: 'Smell something new in bloom',
    description:
      'There is a bee garden, a rose garden and an oak allee; stay until you can name one new plant.',
    difficulty: 'Easy',
    locationName: 'Queens Botanical Garden',
    streetAddress: '43-50 Main Street',
    city: 'Flushing',
    zip: '11355',
    position: { lat: 40.7514, lng: -73.8265 },
    madeBy: 'wei.lin',
    joinedBy: ['george_s', 'oscar-v'],
    completedBy: ['jun.park', 'priya', 'dina'],
  },
  {
    name: 'Make your own stop-motion film',
    description: 'Move the paper shapes, press the button, and take a flip book of ten seconds home.',
    difficulty: 'Medium',
    points: 25,
    locationName: 'Museum of the Moving Image',
    streetAddress: '36-01 35th Avenue',
    city: 'Astoria',
    zip: '11106',
    position: { lat: 40.7563, lng: -73.9239 },
    opensIn: -7,
    closesIn: 30,
    madeBy: 'oscar-v',
    joinedBy: ['tessa-b', 'nadia_k'],
    completedBy: ['marisol', 'imran', 'amara'],
  },
  {
    name: 'Sit with one stone for ten minutes',
    description:
      'Pick a sculpture in the garden and let it take its time; it is quieter than anywhere else here.',
    difficulty: 'Easy',
    locationName: 'The Noguchi Museum',
    streetAddress: '9-01 33rd Road',
    city: 'Long Island City',
    zip: '11106',
    position: { lat: 40.7668, lng: -73.9377 },
    madeBy: 'george_s',
    joinedBy: ['wei.lin'],
    completedBy: ['tessa-b', 'oscar-v'],
  },
  {
    name: 'Borrow a book in a language you are learning',
    description:
      'One of the busiest libraries in the country has shelves in dozens of languages. Take one home.',
    difficulty: 'Easy',
    locationName: 'Queens Public Library at Flushing',
    streetAddress: '41-17 Main Street',
    city: 'Flushing',
    zip: '11355',
    position: { lat: 40.7579, lng: -73.829 },
    madeBy: 'priya',
    joinedBy: ['leon', 'jun.park'],
    completedBy: ['wei.lin', 'marisol', 'nadia_k'],
  },
  {
    name: 'Follow the wetland trail to the end',
    description:
      'Boardwalk, mud, herons: bring shoes that may get dirty and come back with three birds you saw.',
    difficulty: 'Hard',
    locationName: 'Alley Pond Environmental Center',
    streetAddress: '228-06 Northern Boulevard',
    city: 'Douglaston',
    zip: '11362',
    position: { lat: 40.7621, lng: -73.7525 },
    opensIn: -14,
    closesIn: 60,
    madeBy: 'dina',
    joinedBy: ['priya', 'imran'],
    completedBy: ['leon', 'jun.park'],
  },
  {
    name: 'Stand in the old water battery',
    description:
      'Granite arches built for a fort, and the widest view of two bridges that Queens has to give.',
    difficulty: 'Hard',
    points: 40,
    locationName: 'Fort Totten Park',
    streetAddress: '422 Weaver Road',
    city: 'Bayside',
    zip: '11359',
    position: { lat: 40.7947, lng: -73.7758 },
    madeBy: 'leon',
    joinedBy: ['marisol', 'george_s'],
    completedBy: ['jun.park', 'dina'],
  },
  {
    name: 'Read the Flushing Remonstrance where it was lived',
    description: 'In this house of about 1661 people met in secret for the right to believe as they wished.',
    difficulty: 'Medium',
    locationName: 'Bowne House',
    streetAddress: '37-01 Bowne Street',
    city: 'Flushing',
    zip: '11354',
    position: { lat: 40.7629, lng: -73.8247 },
    opensIn: -3,
    closesIn: 45,
    madeBy: 'tessa-b',
    joinedBy: ['wei.lin', 'amara'],
    completedBy: ['leon'],
  },
  {
    name: 'Hear Satchmo talk in his own den',
    description:
      'He could have lived anywhere and chose this block in Corona. Stay for the tape in the study.',
    difficulty: 'Medium',
    locationName: 'Louis Armstrong House Museum',
    streetAddress: '34-56 107th Street',
    city: 'Corona',
    zip: '11368',
    position: { lat: 40.7546, lng: -73.8615 },
    madeBy: 'marisol',
    joinedBy: ['oscar-v', 'dina'],
    completedBy: ['imran', 'leon', 'amara', 'jun.park'],
  },
  {
    name: 'Lap the lake before breakfast',
    description: 'Once around the water while the park wakes up; say good morning to the tai chi regulars.',
    difficulty: 'Easy',
    locationName: 'Kissena Park',
    streetAddress: 'Rose Avenue and Oak Avenue',
    city: 'Flushing',
    zip: '11358',
    position: { lat: 40.7472, lng: -73.8075 },
    madeBy: 'jun.park',
    joinedBy: ['tessa-b', 'priya'],
    completedBy: ['wei.lin', 'dina', 'marisol'],
  },
  {
    name: 'Walk under a rocket',
    description:
      'Two of them stood here for the World’s Fair of 1964, and they are still taller than you think.',
    difficulty: 'Medium',
    locationName: 'New York Hall of Science',
    streetAddress: '47-01 111th Street',
    city: 'Corona',
    zip: '11368',
    position: { lat: 40.7472, lng: -73.8517 },
    opensIn: 5,
    closesIn: 50,
    madeBy: 'imran',
    joinedBy: ['marisol', 'nadia_k', 'amara'],
    completedBy: [],
  },
];
