export default {
  park: 'Parks and water',
  museum: 'Museums',
  cinema: 'Cinema and stage',
  club: 'Bars and clubs',
  library: 'Libraries and books',
  restaurant: 'Food and cafés',
  attraction: 'Sights',
} as const;
