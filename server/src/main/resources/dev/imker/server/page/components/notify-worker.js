// Shows notifications where pages may not show them themselves (Android), and leads from them to their job.
self.addEventListener("notificationclick", (event) => {
  const { job, page } = event.notification.data;
  event.notification.close();
  event.waitUntil(self.clients.matchAll({ type: "window", includeUncontrolled: true }).then(async (windows) => {
    const open = windows.find((one) => one.url.replace(/#.*/, "") === page);
    if (!open) return self.clients.openWindow(`${page}#/job/${job}`);
    await open.focus();
    return open.postMessage({ job });
  }));
});
