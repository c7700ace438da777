export { challengeModel } from './challenge.model.ts';
export { type ChallengesTuning, challengesService, createChallengesService } from './service.ts';
