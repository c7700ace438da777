export { challengeModel } from './challenge.model.ts';
export { challengesService, createChallengesService } from './service.ts';
