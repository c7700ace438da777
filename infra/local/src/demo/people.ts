export interface DemoPerson {
  username: string;
  firstName: string;
  lastName: string;
  city: string;
}

/** The people of the demo data. Nobody can log in as one of them. */
export const people: DemoPerson[] = [
  { username: 'marisol', firstName: 'Marisol', lastName: 'Reyes', city: 'Corona' },
  { username: 'jun.park', firstName: 'Jun', lastName: 'Park', city: 'Flushing' },
  { username: 'tessa-b', firstName: 'Tessa', lastName: 'Brennan', city: 'Sunnyside' },
  { username: 'imran', firstName: 'Imran', lastName: 'Chowdhury', city: 'Jackson Heights' },
  { username: 'nadia_k', firstName: 'Nadia', lastName: 'Kowalska', city: 'Maspeth' },
  { username: 'leon', firstName: 'Leon', lastName: 'Baptiste', city: 'Cambria Heights' },
  { username: 'wei.lin', firstName: 'Wei', lastName: 'Lin', city: 'Flushing' },
  { username: 'priya', firstName: 'Priya', lastName: 'Raman', city: 'Floral Park' },
  { username: 'oscar-v', firstName: 'Oscar', lastName: 'Vargas', city: 'Astoria' },
  { username: 'dina', firstName: 'Dina', lastName: 'Haddad', city: 'Forest Hills' },
  { username: 'george_s', firstName: 'George', lastName: 'Stavros', city: 'Astoria' },
  { username: 'amara', firstName: 'Amara', lastName: 'Okafor', city: 'Jamaica' },
];
