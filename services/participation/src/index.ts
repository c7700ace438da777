export { createParticipationService, type ParticipationDeps, participationService } from './service.ts';
