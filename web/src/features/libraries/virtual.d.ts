declare module 'virtual:libraries' {
  const libraries: import('../../../build/libraries.ts').Library[];
  export default libraries;
}
