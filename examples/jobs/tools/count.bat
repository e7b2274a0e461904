@find /c /v "" %1
