// Which images there are, and what is in them.
import { serviceNames } from '@wayquest/contracts';

/** The programs that have an image, by their names. */
export const programs = {
  gateway: { start: 'gateway/dist/main.js', files: ['package.json', 'web/dist'] },
  // Only this container can read the private key, so it also generates the keys and runs the operators' commands.
  auth: {
    start: 'services/auth/dist/main.js',
    commands: {
      admin: 'infra/admin/dist/admin.js',
      backups: 'infra/admin/dist/backups.js',
      'mongo-users': 'infra/admin/dist/mongo-users.js',
    },
    files: ['package.json', 'infra/docker/make-keys.mjs'],
  },
  ...Object.fromEntries(
    serviceNames
      .filter((name) => name !== 'auth')
      .map((name) => [name, { start: `services/${name}/dist/main.js`, files: ['package.json'] }]),
  ),
};
