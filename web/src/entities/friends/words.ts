import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/people.ts';

export const { useWords: usePeopleWords, say: sayOfPeople } = catalogue('people', english);
