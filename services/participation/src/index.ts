export { createParticipationService, type ParticipationDeps } from './service.ts';
