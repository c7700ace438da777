export { createUsersService, type UsersDeps } from './service.ts';
