export { challengeModel } from './challenge.model.ts';
export { createChallengesService } from './service.ts';
export { wordsOf } from './words.ts';
