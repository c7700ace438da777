export { createUsersService, type UsersDeps, usersService } from './service.ts';
