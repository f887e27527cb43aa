// Search from disk: browsers refuse workers on pages opened as file://, so the search runs in a
// hidden frame that looks like a worker to both sides. The theme would fetch such a script from the
// network; this one lies beside the pages.
if (location.protocol === "file:") {
  class IFrameWorker extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.scope = frame.contentWindow;
      this.scope.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = this.scope.document.createElement("script");
      this.ready = new Promise((resolve) => (script.onload = resolve));
      script.src = new URL(url, location.href);
      this.scope.document.body.append(script);
    }

    async postMessage(data) {
      await this.ready;
      this.scope.dispatchEvent(new MessageEvent("message", { data }));
    }
  }
  // The theme's script looks for this name to find its files.
  window.IFrameWorker = window.Worker = IFrameWorker;
}
