import type { Chinese } from '../english.ts';

export default {
  loginTitle: '欢迎回来',
  loginTab: '登录',
  loginLead: '你的挑战在等你。',
  toSignup: '还没有账号？创建一个',
  login: '登录',
  loginWithGoogle: '使用 Google 登录',
  signupTitle: '一起来吧',
  signupTab: '注册',
  signupLead: '取个名字，设个密码，就可以出门了。',
  toLogin: '已有账号？去登录',
  signUp: '注册',
  signUpWithGoogle: '使用 Google 注册',
  usernamePlaceholder: '用户名',
  usernameHint: '3 到 30 个字母、数字、点、下划线或连字符',
  password: '密码',
  passwordPlaceholder: '密码',
  passwordHint: '至少 8 个字符',
  or: '或',
  googleNotSetUp: '这里还没有开通 Google 登录，请使用用户名和密码。',
  googleFailed: 'Google 登录没有成功。请再试一次，或使用用户名和密码。',
} satisfies Chinese<'auth'>;
