export { profileModel } from './profile.model.ts';
export { createUsersService, type UsersDeps, usersService } from './service.ts';
