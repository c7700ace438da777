export { type Assembly, type AssemblyOptions, assemble } from './assembly.ts';
export { type Program, programs } from './programs.ts';
export { type AssemblySettings, allInOneSettings, assemblySettings } from './settings.ts';
