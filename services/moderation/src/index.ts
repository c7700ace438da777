export { endSuspension, suspendUser } from './administration.ts';
export { checkAudit } from './audit.ts';
export { moderationService } from './service.ts';
