declare module 'virtual:libraries' {
  export type Library = import('../../../build/libraries.ts').Library;
  const libraries: Library[];
  export default libraries;
}
