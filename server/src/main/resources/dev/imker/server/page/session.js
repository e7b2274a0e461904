// Who is logged in, and where: read once, shared by all pages.
import { get } from "./api.js";

export const session = { me: null, pool: null };

export async function openSession() {
  [session.me, session.pool] = await Promise.all([get("api/v1/me"), get("api/v1/pool")]);
  return session;
}

export const isAdmin = () => session.me?.role === "ADMIN";
export const mayWork = () => session.me?.role === "ADMIN" || session.me?.role === "USER";
