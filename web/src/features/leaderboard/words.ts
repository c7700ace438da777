import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/leaderboard.ts';

export const { useWords } = catalogue('leaderboard', english);
