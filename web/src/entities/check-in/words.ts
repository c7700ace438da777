import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/checkin.ts';

export const { useWords: useCheckInWords } = catalogue('checkin', english);
