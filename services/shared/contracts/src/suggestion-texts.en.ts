/** A name and a description; `{place}` is the name of the town or place. */
type NameAndDescription = readonly [name: string, description: string];

/** The English texts of suggested challenges, by the key of their template. */
export const englishSuggestionTexts = {
  place: ['Discover {place}', 'Go there, look around, and find a detail that most people walk past.'],
  loop: [
    'Walk a loop around the center of {place}',
    'Start in the center, turn at a street you have never taken, and come back another way.',
  ],
  'oldest-building': [
    'Find the oldest building in the center of {place}',
    'Look for dates above doors and on corner stones. View it from the street.',
  ],
  water: ['Cross a bridge in {place}', 'Over a river, a canal, a road or the railway: cross it on foot.'],
  view: [
    'Find the best view over {place}',
    'A hill, a bridge, a public terrace: go where you can see the most of the town.',
  ],
  market: [
    'Visit a market in {place}',
    'Find a market, a market hall or a market square, and something there you do not know.',
  ],
  statue: [
    'Find a statue in {place}',
    "You've walked past it a hundred times. Read whom or what it remembers.",
  ],
  museum: [
    'Spend half an hour in a museum in {place}',
    'A small one counts, too. Choose one thing and look at it for five minutes.',
  ],
  library: [
    'Read three pages in a library in {place}',
    'Take a book you would never have chosen, and a seat at the window.',
  ],
  park: [
    'Sit in a park in {place} for ten minutes',
    'Without your phone. What do you hear that you did not see?',
  ],
  garden: [
    'Find the most flowers in {place}',
    'A flower bed, a public garden, a balcony seen from below: where are the most in one place?',
  ],
  tree: ['Find the thickest tree in {place}', 'How many people would it take to reach around it?'],
  cafe: [
    'Try a café in {place} you have never been to',
    'The one you always walk past. Ask what they are proud of.',
  ],
  taste: ['Taste what {place} is known for', 'Ask somebody from here what you have to try, and where.'],
  'street-name': [
    'Find out whom a street in {place} is named after',
    'Choose a street whose name you have never thought about, and walk all of it.',
  ],
  sunset: [
    'Watch the sun set over {place}',
    'Find a place with a free view to the west, and stay until it is gone.',
  ],
  early: ['See {place} before it wakes up', 'Walk through the center within an hour of sunrise.'],
  mural: [
    'Find a mural in {place}',
    'On a gable, in an underpass, behind the station: the larger, the better.',
  ],
  clock: [
    'Find a public clock in {place} that is right',
    'On a tower, a school or a shop. Compare it with yours.',
  ],
  fountain: ['Find a fountain in {place}', 'Stay a minute and listen. Is there a date or a name on it?'],
  stairs: [
    'Climb the longest public stairs in {place}',
    'Count the steps on the way up, and turn around at the top.',
  ],
  tower: [
    'Find the tallest tower in {place}',
    'Of a church, a town hall or a water tower: walk up to its foot and look up.',
  ],
  door: ['Find the most beautiful door in {place}', 'Walk three streets before you choose.'],
  stop: ['Get off one stop early in {place}', 'Walk the rest of the way along streets that you do not know.'],
  secondhand: [
    'Browse a secondhand shop in {place}',
    'Find the oldest thing in it. You do not have to buy it.',
  ],
  run: [
    'Run, roll or walk five kilometers through {place}',
    'At your pace, and along a way with as few crossings as possible.',
  ],
  north: [
    'Walk north through {place} for half an hour',
    'At each corner take the street that leads north the most. Where do you end up?',
  ],
  cinema: [
    'See a film at a cinema in {place}',
    'One that you know nothing about, at the smallest cinema that you can find.',
  ],
  stage: [
    'Find out what is on at a theater in {place}',
    'Go there and read the posters. Does one of them make you curious?',
  ],
  music: [
    'Hear live music in {place}',
    'In a club, a church or on the street: stay for at least three songs.',
  ],
  'village-edge': [
    'Walk to the edge of your village and back',
    'To where the last house stands, and back another way if there is one.',
  ],
  'village-bench': [
    'Find the bench with the best view near you',
    'Sit down until you have seen something move in the distance.',
  ],
  'village-house': [
    'Find the oldest house in your village',
    'Look for dates above doors and on beams. View it from the street.',
  ],
  'village-stream': [
    'Follow a stream for ten minutes',
    'Along a public path, downstream or upstream. Where does it come from?',
  ],
  'village-path': [
    'Take a path you have never taken',
    "You've walked past it a hundred times. Follow it for a quarter of an hour.",
  ],
  'village-hill': [
    'Walk up to the highest point near you',
    'Count the villages that you can see from there.',
  ],
  'village-next': [
    'Walk to the next village',
    'Along a path rather than the road, if there is one. You may take the bus back.',
  ],
  'village-field': [
    'Find out what grows in the nearest field',
    'Look from the path, and guess before you look it up.',
  ],
  'village-stars': [
    'Look at the stars from outside your village',
    'On a clear night, where no lamp blinds you. Wait ten minutes for your eyes.',
  ],
  'village-birds': [
    'Hear five different birds',
    'Stand still at the edge of a wood or a hedge, early in the morning or before sunset.',
  ],
} as const satisfies Record<string, NameAndDescription>;

/** Key of the texts of a suggestion. */
export type SuggestionTextKey = keyof typeof englishSuggestionTexts;

/** The texts of one language. */
export type SuggestionTexts = Record<SuggestionTextKey, NameAndDescription>;
