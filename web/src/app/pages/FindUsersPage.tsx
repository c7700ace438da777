import './blocks-came.ts';

export { default } from '../../features/users/routes/FindUsers.tsx';
