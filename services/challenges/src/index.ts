export { createChallengesService } from './service.ts';
