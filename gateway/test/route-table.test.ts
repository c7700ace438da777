import { type Operation, operations, operationUrl } from '@wayquest/contracts';
import { createRouteTable } from '../src/route-table.ts';

const routes = createRouteTable();
const routed = Object.entries<Operation>(operations).filter(([, { service }]) => service !== 'gateway');
const all = routed.filter(([, { internal }]) => !internal);
const internal = routed.filter((one) => !all.includes(one));
const pathTo = (operation: Operation) => operationUrl(operation, { params: { id: 7, file: 'a.svg' } });

it.each(all)('finds %s, with and without a trailing slash', (_name, operation) => {
  const path = pathTo(operation).replace(/\/$/, '');
  expect(routes.find(operation.method, path)?.operation).toBe(operation);
  expect(routes.find(operation.method, `${path}/`)?.operation).toBe(operation);
});

it.each(internal)('does not find %s, which only services call (Q13)', (_name, operation) => {
  expect(routes.find(operation.method, pathTo(operation))).toBeUndefined();
  expect(routes.methodsAt(pathTo(operation))).toEqual([]);
});

it('finds HEAD where there is a GET', () => {
  expect(routes.find('HEAD', '/api/users/7')?.operation).toBe(operations.getUser);
  expect(routes.find('HEAD', '/auth/login')).toBeUndefined();
});

it.each([
  ['PATCH', '/api/challenges/7'],
  ['GET', '/auth/login'],
  ['GET', '/api/challenges/7/8'],
  ['GET', '/api/challengesX'],
  ['GET', '/xapi/challenges'],
  ['GET', '/api'],
  ['GET', '/'],
])('does not find %s %s', (method, path) => {
  expect(routes.find(method, path)).toBeUndefined();
});

it('reserves the paths of operations', () => {
  expect(['/api/x', '/API/x', '/auth', '/public/x'].map(routes.reserves)).toEqual([true, true, true, true]);
  expect(['/', '/home', '/apis'].map(routes.reserves)).toEqual([false, false, false]);
});
